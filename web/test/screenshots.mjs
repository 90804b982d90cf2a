// Makes the screenshots of docs/report.md. usage: web/test/run PROGRAM screenshots.mjs (not a test)
import { join } from 'node:path';
import { closeBrowser, open, ROOT, sampleComparison, scratch } from './browser.mjs';

const file = sampleComparison(scratch());
for (const [name, scheme] of [['report-light.png', 'light'], ['report-dark.png', 'dark']]) {
  const { page } = await open(file, { scheme, width: 1280, height: 1020 });
  await page.screenshot({ path: join(ROOT, 'docs', 'images', name) });
}
const { page } = await open(file, { width: 1280 });
await page.locator('#gpus-over-time').screenshot({ path: join(ROOT, 'docs', 'images', 'report-gpus.png') });
await closeBrowser();
