/** A setting that the check gives to each journey. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the journeys with \`.ci/test clients\``);
  return value;
}
