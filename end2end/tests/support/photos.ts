import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A folder of photos like a camera's, in each format, with their location. */
export function photographs(): string {
  const folder = mkdtempSync(join(tmpdir(), 'retour-photos-'));
  const script = resolve(__dirname, '../../../app/outbound/tests/outside/photos.py');
  execFileSync(process.env.RETOUR_PYTHON ?? 'python3', [script, 'make', folder]);
  return folder;
}
