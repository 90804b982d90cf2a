// 100,000 points: the page is drawn in under a second.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { closeBrowser, open, orrery, scratch, write } from './browser.mjs';

after(closeBrowser);

test('100,000 steps of a timeline and as many stretches are drawn in under a second', async () => {
  const folder = scratch();
  let rows = 'job_id,submit,gpus,duration\n';
  for (let i = 0; i < 100_000; ++i) rows += `${i},${i * 10},${1 + (i % 4)},${20 + (i * 37) % 400}\n`;
  write(folder, 'jobs.csv', rows);
  orrery(folder, 'run', '--trace', 'jobs.csv', '--cluster', '16x8', '--policy', 'fifo', '--timeline', '10s', '--attempts', '--out', 'large', '--report', 'large.html');
  const { page, seen } = await open(join(folder, 'large.html'));
  const steps = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).runs[0].timeline.time_s.length);
  assert.ok(steps >= 100_000, `${steps} steps`);
  const drawn = Number(await page.evaluate(() => document.documentElement.dataset.drawnMs));
  console.log(`drawn in ${drawn} ms`);
  assert.ok(drawn < 1000, `drawn in ${drawn} ms`);
  assert.deepEqual(seen, []);
});
