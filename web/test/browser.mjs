// What the tests share: results made by the program, and pages opened as a reader opens them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A folder that goes with the process. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-web-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function orrery(folder, ...words) {
  return execFileSync(process.env.ORRERY_PROGRAM, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A comparison of three policies on the bundled sample, and its page. */
export function sampleComparison(folder) {
  orrery(folder, 'compare', '--trace', join(ROOT, 'traces', 'philly-sample.json.gz'), '--cluster', '24x8', '--policy', 'fifo', '--policy', 'srtf', '--policy', 'tiresias',
    '--timeline', '10m', '--attempts', '--out', 'comparison', '--report', 'comparison.html');
  return join(folder, 'comparison.html');
}

export function rowsOfCsv(file) {
  const [head, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}

export const write = (folder, name, text) => writeFileSync(join(folder, name), text);

let browser = null;
export async function closeBrowser() {
  await browser?.close();
}

/** Opens a page; `seen` gathers what it should not do: requests, errors, dialogs. */
export async function open(file, { scheme = 'light', width = 1280, height = 900 } = {}) {
  browser ??= await chromium.launch({
    executablePath: process.env.ORRERY_BROWSER,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, acceptDownloads: true });
  const address = pathToFileURL(file).href;
  const seen = [];
  page.on('request', (request) => { if (request.url() !== address && !request.url().startsWith('blob:')) seen.push(`request ${request.url()}`); });
  page.on('pageerror', (error) => seen.push(`error ${error.message}`));
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) seen.push(`${message.type()} ${message.text()}`); });
  page.on('dialog', (dialog) => { seen.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  await page.goto(address);
  await page.waitForFunction(() => document.documentElement.dataset.drawnMs !== undefined);
  return { page, seen };
}

/** What a button saves. */
export async function saved(page, locator) {
  const [download] = await Promise.all([page.waitForEvent('download'), locator.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}
