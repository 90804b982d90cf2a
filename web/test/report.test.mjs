// The report page: numbers as in the files, nothing but itself, usable without a mouse or eyes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { duration } from '../src/format.js';
import { closeBrowser, open, orrery, ROOT, rowsOfCsv, sampleComparison, saved, scratch, write } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = scratch();
let comparison, single;

before(() => {
  comparison = sampleComparison(folder);
  orrery(folder, 'run', '--trace', join(ROOT, 'traces', 'helios-sample.csv.gz'), '--cluster', '32x8', '--policy', 'srtf', '--timeline', '1h', '--out', 'single');
  orrery(folder, 'report', 'single', '-o', 'single.html');
  single = join(folder, 'single.html');
});
after(closeBrowser);

test('the numbers of the summary are those of comparison.csv', async () => {
  const { page, seen } = await open(comparison);
  const shown = await page.locator('#summary tbody tr:not(.bound)').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => ({ text: cell.firstChild?.textContent ?? '', value: cell.dataset.value }))));
  const head = await page.locator('#summary thead th').allTextContents();
  const file = rowsOfCsv(join(folder, 'comparison', 'comparison.csv'));
  assert.equal(shown.length, 3);
  file.forEach((row, i) => {
    const cell = (title) => shown[i][head.indexOf(title)];
    assert.equal(cell('policy').text, row.policy);
    for (const [title, column] of [['JCT mean', 'jct_mean_s'], ['JCT p50', 'jct_p50_s'], ['JCT p99', 'jct_p99_s'], ['wait mean', 'wait_mean_s'], ['wait p99', 'wait_p99_s'], ['makespan', 'makespan_s']]) {
      assert.ok(Math.abs(Number(cell(title).value) - Number(row[column])) <= 1e-6 * Number(row[column]), `${row.policy} ${title}`);
      assert.equal(cell(title).text, duration(Number(row[column])));
    }
    assert.equal(Number(cell('preemptions').value), Number(row.preemptions));
    assert.equal(cell('utilization').text, Number(row.utilization).toFixed(2));
  });
  assert.deepEqual(seen, []);
});

test('a lower bound stands below every policy', async () => {
  const { page } = await open(comparison);
  const means = await page.locator('#summary tbody tr').evaluateAll((rows) => rows.map((row) => Number(row.cells[2].dataset.value)));
  const bound = means.pop();
  assert.ok(bound > 0 && means.every((mean) => mean >= bound), `${bound} under ${means}`);
});

test('the distributions are those of jobs.csv', async () => {
  const { page } = await open(comparison);
  const { name, text } = await saved(page, page.getByRole('button', { name: 'Job completion time: numbers as CSV' }));
  assert.equal(name, 'jct.csv');
  const lines = text.trimEnd().split('\n').slice(1).map((line) => line.split(','));
  const times = rowsOfCsv(join(folder, 'comparison', 'runs', '02-srtf', 'jobs.csv')).map((job) => Number(job.jct_s));
  const curve = lines.filter(([run]) => run === 'srtf');
  assert.ok(curve.length > 500);
  for (const [, x, y] of curve) assert.ok(Math.abs(times.filter((time) => time <= Number(x)).length / times.length - Number(y)) < 1e-9, `${x} ${y}`);
  assert.equal(Number(curve.at(-1)[2]), 1);
});

test('the timeline is that of timeline.csv', async () => {
  const { page } = await open(comparison);
  const { text } = await saved(page, page.getByRole('button', { name: 'GPUs in use: numbers as CSV' }));
  const shown = text.trimEnd().split('\n').slice(1).filter((line) => line.startsWith('fifo,')).map((line) => line.split(',').slice(1).map(Number));
  const file = rowsOfCsv(join(folder, 'comparison', 'runs', '01-fifo', 'timeline.csv')).map((row) => [Number(row.time_s), Number(row.gpus_busy)]);
  assert.deepEqual(shown, file);
});

test('waits by cause sum to the mean wait', async () => {
  const { page } = await open(comparison);
  const { text } = await saved(page, page.getByRole('button', { name: 'Why jobs waited: numbers as CSV' }));
  const sums = {};
  for (const line of text.trimEnd().split('\n').slice(1)) { const [run, , wait] = line.split(','); sums[run] = (sums[run] ?? 0) + Number(wait); }
  for (const row of rowsOfCsv(join(folder, 'comparison', 'comparison.csv'))) assert.ok(Math.abs(sums[row.policy] - Number(row.wait_mean_s)) < 1e-6 * Number(row.wait_mean_s), row.policy);
});

test('each figure saves an SVG that stands alone', async () => {
  const { page, seen } = await open(comparison);
  const buttons = page.locator('figure button', { hasText: /^SVG$/ });
  assert.equal(await buttons.count(), 6);
  for (let i = 0; i < 6; ++i) {
    const { name, text } = await saved(page, buttons.nth(i));
    assert.match(name, /\.svg$/);
    const problem = await page.evaluate((svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return parsed.querySelector('parsererror')?.textContent ?? (parsed.querySelectorAll('path, rect').length > 3 && parsed.querySelector('title') ? '' : 'nothing drawn');
    }, text);
    assert.equal(problem, '', name);
    assert.doesNotMatch(text, /var\(|class="u-|<script/);
    assert.ok(text.length < 200_000, `${name}: ${text.length} bytes`);
  }
  assert.deepEqual(seen, []);
});

test('every run shows its GPUs, and the pointer reads jobs there', async () => {
  const { page } = await open(comparison);
  const gantt = page.locator('.gantt');
  await page.getByLabel('Run').selectOption({ label: 'tiresias' });
  await gantt.scrollIntoViewIfNeeded();
  const box = await gantt.boundingBox();
  await page.mouse.move(box.x + box.width / 3, box.y + 100);
  assert.match(await page.locator('#gpus-over-time .reading').textContent(), /^node \d+, GPU \d+: (job application_|free at )/);
  const { text } = await saved(page, page.getByRole('button', { name: 'GPUs over time: numbers as CSV' }));
  const held = text.trimEnd().split('\n').slice(1).map((line) => line.split(',')).reduce((sum, row) => sum + (Number(row[2]) - Number(row[1])) * Number(row[7]), 0);
  const summary = JSON.parse(readFileSync(join(folder, 'comparison', 'runs', '03-tiresias', 'summary.json'), 'utf8'));
  assert.ok(Math.abs(held - summary.gpu_time_s.busy) < 1, `${held} GPU-seconds drawn, ${summary.gpu_time_s.busy} held`);
});

test('the page is usable from the keyboard', async () => {
  const { page } = await open(comparison);
  const reading = page.locator('#jct .reading'), before = await reading.textContent();
  await page.locator('#jct .drawing').focus();
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await reading.textContent(), before);
  const pixels = () => page.locator('.gantt canvas').evaluate((canvas) => canvas.toDataURL());
  const whole = await pixels();
  await page.locator('.gantt').focus();
  await page.keyboard.press('+');
  const zoomed = await pixels();
  assert.notEqual(zoomed, whole);
  await page.keyboard.press('0');
  assert.equal(await pixels(), whole);
  await page.locator('#gpus-busy .drawing').focus();
  const plot = () => page.locator('#gpus-busy canvas').evaluate((canvas) => canvas.toDataURL());
  const all = await plot();
  await page.keyboard.press('+');
  await page.waitForTimeout(100);  // uPlot draws in the next frame
  assert.notEqual(await plot(), all);
});

test('the theme follows the reader and the button', async () => {
  for (const scheme of ['light', 'dark']) {
    const { page } = await open(single, { scheme });
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const first = await paper();
    await page.locator('#theme').click();
    assert.notEqual(await paper(), first);
    await page.locator('#theme').click();
    assert.equal(await paper(), first);
  }
});

test('axe-core finds nothing, in both themes, wide and narrow', async () => {
  for (const [file, scheme, width] of [[comparison, 'light', 1280], [comparison, 'dark', 1280], [comparison, 'light', 400], [single, 'dark', 900]]) {
    const { page } = await open(file, { scheme, width });
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`), [], `${scheme} ${width}`);
  }
  const { page } = await open(single);  // and would find something
  await page.evaluate(axe);
  await page.evaluate(() => document.querySelector('main').append(document.createElement('button')));
  assert.deepEqual(await page.evaluate(async () => (await window.axe.run()).violations.map((one) => one.id)), ['button-name']);
});

test('a narrow page does not scroll sideways', async () => {
  const { page } = await open(comparison, { width: 400 });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

// What a trace may call its jobs, users and VCs. `hit` is what none of them may do.
const HIT = 'document.title=1;window.hit=1';
const PAYLOADS = [
  `<script>${HIT}</script>`, `</script><script>${HIT}</script>`, `<!--<script>${HIT}//`, `--><script>${HIT}</script>`, `]]><script>${HIT}</script>`,
  `<img src=x onerror=${HIT}>`, `"><img src=x onerror="${HIT}">`, `'><img src=x onerror='${HIT}'>`, `<svg onload=${HIT}>`, `<svg><script>${HIT}</script></svg>`,
  `<svg/onload=${HIT}//`, `<math><a xlink:href="javascript:${HIT}">x</a></math>`, `<iframe src="javascript:${HIT}">`, `<iframe srcdoc="<script>${HIT}</script>">`,
  `<object data="javascript:${HIT}">`, `<embed src="javascript:${HIT}">`, `<body onload=${HIT}>`, `<details open ontoggle=${HIT}>`, `<input autofocus onfocus=${HIT}>`,
  `<video><source onerror=${HIT}></video>`, `<a href="javascript:${HIT}">x</a>`, `<base href="https://example.invalid/">`, `<link rel=stylesheet href=https://example.invalid/x.css>`,
  `<meta http-equiv=refresh content="0;url=https://example.invalid/">`, `<form action=https://example.invalid/><button>x</button></form>`, `<style>*{display:none}</style>`, `</style><script>${HIT}</script>`,
  `</title><script>${HIT}</script>`, `</textarea><script>${HIT}</script>`, `\${${HIT}}`, `{{constructor.constructor('${HIT}')()}}`, `';${HIT};'`, `\\u003cscript\\u003e${HIT}`, `&lt;script&gt;${HIT}`,
  `javascript:${HIT}`, `\u2028${HIT}\u2029`, `\u202e<script>${HIT}</script>`, `__proto__`, `constructor`, `=HYPERLINK("https://example.invalid/")`, `@import url(https://example.invalid/)`, `<noscript><p title="</noscript><img src=x onerror=${HIT}>">`,
];

test('names are never markup', async () => {
  assert.ok(PAYLOADS.length >= 40);
  const field = (text) => `"${text.replaceAll('"', '""')}"`;
  write(folder, 'hostile.csv', 'job_id,submit,gpus,duration,vc,user,name\n' + PAYLOADS.map((text, i) => `${field(`${i} ${text}`)},${i},1,${100 + i},${field(text)},${field(text)},${field(text)}\n`).join(''));
  write(folder, 'hostile.json', JSON.stringify({ name: PAYLOADS[1], nodes: [{ count: 4, gpus: 2 }] }));
  orrery(folder, 'compare', '--trace', 'hostile.csv', '--cluster', 'hostile.json', '--policy', 'fifo', '--policy', 'srtf', '--attempts', '--timeline', '10s', '--out', 'hostile', '--report', 'hostile.html');
  const { page, seen } = await open(join(folder, 'hostile.html'));
  const vcs = await page.locator('#by-vc tbody th').allTextContents();
  for (const text of PAYLOADS) assert.ok(vcs.includes(text), text);
  const box = await page.locator('.gantt').boundingBox();
  for (let y = 5; y < box.height - 40; y += 20) await page.mouse.move(box.x + box.width / 2, box.y + y);
  await saved(page, page.getByRole('button', { name: 'GPUs over time: numbers as CSV' }));
  const { text } = await saved(page, page.getByRole('button', { name: 'By VC as CSV' }));
  assert.match(text, /"?'=HYPERLINK/);
  assert.equal(await page.title(), 'Orrery report');
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.equal(await page.locator('img, iframe, object, embed, video, form, base, math').count(), 0);
  assert.deepEqual(seen, []);
});
