// Prints the samples of a README, one after the other: `node sdk/test/readme.mjs README.md ts`. They are one program.
import { readFileSync } from "node:fs";

const [file, language] = process.argv.slice(2);
const samples = [...readFileSync(file, "utf8").matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, code]) => code);
if (samples.length < 5) throw new Error(`${file} has ${samples.length} samples in ${language}`);
console.log(samples.join("\n"));
