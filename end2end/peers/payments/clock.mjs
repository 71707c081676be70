/** A company's clock, which may stand still or show another year. In seconds. */
export class Clock {
  #offset = 0;

  now() { return Math.floor(Date.now() / 1000) + this.#offset; }
  set(seconds) { this.#offset = seconds - Math.floor(Date.now() / 1000); }
}
