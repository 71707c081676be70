// The smallest valid labels: the number, the sender and the recipient, for people and for tests that read them.
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==';

/** @returns {string} in Base64, like karrio */
export function label(type, number, { shipper, recipient }) {
  const name = (party) => party.company_name ?? party.person_name ?? party.country_code;
  const lines = [number, `From: ${name(shipper)}`, `To: ${name(recipient)}`];
  if (type === 'PNG') return PIXEL;
  return Buffer.from(type === 'ZPL' ? zpl(lines) : pdf(lines), 'latin1').toString('base64');
}

function zpl([number, ...lines]) {
  const written = lines.map((line, at) => `^FO30,${60 + at * 50}^A0N,40^FD${line.replaceAll(/[\^~]/g, ' ')}^FS`);
  return `^XA^PW812^LL1218${written.join('')}^FO30,300^BY3^BCN,200,Y^FD${number}^FS^XZ`;
}

/** One page of 4 by 6 inches. The table at its end has the offset of each object: PDF readers reject a wrong one. */
function pdf(lines) {
  // The built-in font has only Latin letters.
  const text = lines.map((line) => `(${line.replaceAll(/[^ -~\u00a1-\u00ff]/g, '?').replaceAll(/[\\()]/g, '\\$&')}) Tj T*`).join(' ');
  const drawn = `BT /F1 14 Tf 20 390 Td 22 TL ${text} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  return `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}
