import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from './support/test';

for (const [way, says] of [
  ['Print a label', 'Parcel number'],
  ['Show a code', 'Show this at the counter'],
  ['Bring it to our store', '14 Harbour Yard'],
]) {
  test(`a return is printed on one page: ${way}`, async ({ page, portal, order }, info) => {
    await portal.prove(order);
    await portal.row('Linen shirt').choose();
    await portal.row('Stoneware mug').choose();
    await portal.row('Stoneware mug').because('Other');
    await portal.choose('Linen shirt');
    await portal.pick(way);
    const number = await portal.submit();
    for (const format of ['A4', 'Letter']) {
      const file = info.outputPath(`return-${format}.pdf`);
      await writeFile(file, await page.pdf({ format }));
      const about = await promisify(execFile)('pdfinfo', [file]);
      expect(about.stdout, format).toMatch(/^Pages:\s+1$/m);
      const text = (await promisify(execFile)('pdftotext', ['-raw', file, '-'])).stdout.replace(/\s+/g, ' ');
      for (const part of [number, says, 'Stoneware mug', 'Your refund']) expect(text).toContain(part);
      for (const part of ['My returns', 'Sign out', 'Cancel', 'Skip to content', 'offline']) expect(text).not.toContain(part);
    }
  });
}
