// The tests' clock, which may stand still or show another year.
let offset = 0;
export const now = () => Math.floor(Date.now() / 1000) + offset;
export const set = (seconds) => { offset = seconds - Math.floor(Date.now() / 1000); };
