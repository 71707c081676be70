import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const script = resolve(__dirname, '../../mail_server.py');

/** A mail as the server (aiosmtpd) parsed it. */
export interface Mail {
  to: string[];
  headers: Record<string, string>;
  text: string;
  html: string;
  files: { name: string; type: string; bytes: string }[];
  /** Images that the HTML shows by `cid:`. */
  pictures: { cid: string; type: string; bytes: string }[];
}

/** Starts a mail server that stores mail in a folder. Returns its port. */
export async function startMail(folder: string): Promise<{ port: number; server: ChildProcess }> {
  const server = spawn(process.env.RETOUR_PYTHON ?? 'python3', [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await Promise.race([
    once(server.stdout!, 'data'),
    once(server, 'exit').then(() => {
      throw new Error('aiosmtpd is needed: `.ci/tools test` installs it');
    }),
  ])) as [Buffer];
  return { port: Number(line.toString()), server };
}

/** A recipient's mail so far, oldest first. */
async function mailsTo(address: string): Promise<Mail[]> {
  const folder = process.env.RETOUR_MAILS!;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const mails = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Mail));
  return mails.filter((mail) => mail.to.includes(address));
}

/** Waits for a number of mails. */
export async function waitForMails(address: string, count = 1, patience = 30_000): Promise<Mail[]> {
  for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(200)) {
    const mails = await mailsTo(address);
    if (mails.length >= count) return mails;
  }
  throw new Error(`${count} mails to ${address} did not come`);
}

/** The first link in a mail's text that contains this part. */
export function linkIn(mail: Mail, part: string): string {
  const link = mail.text.split(/\s+/).find((word) => word.startsWith('http') && word.includes(part));
  if (!link) throw new Error(`no link with ${part} in ${mail.text}`);
  return link;
}
