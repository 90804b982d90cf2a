// The report page: reads the data that stands in it and draws everything. It asks nobody for
// anything, and nothing in the data is ever markup.
import { element } from './dom.js';
import { distribution } from './distribution.js';
import { waitingByCause } from './causes.js';
import { groupTables, summaryTables } from './tables.js';
import { themeButton } from './theme.js';
import { timelines } from './timeline.js';
import { gantts } from './gantt.js';
import { count } from './format.js';

const read = () => JSON.parse(document.getElementById('data').textContent);

function section(id, title, ...content) {
  return element('section', { id, 'aria-labelledby': `${id}-title` }, element('h2', { id: `${id}-title` }, title), ...content);
}

function facts(about) {
  const list = element('dl', { class: 'facts' });
  for (const [name, value] of Object.entries(about)) list.append(element('div', {}, element('dt', {}, name), element('dd', {}, String(value))));
  return list;
}

function settings(data) {
  return element('details', {}, element('summary', {}, 'Every setting'),
    element('pre', { tabindex: '0', role: 'region', 'aria-label': 'Settings' }, JSON.stringify(data.settings, null, 2)));
}

function main() {
  const began = performance.now();
  const data = read();
  const place = document.getElementById('content');
  const { runs } = data;
  const n = runs[0].summary.jct_s.n;
  const jobs = `${count(n)} finished jobs`;
  place.append(section('overview', 'Overview', facts(data.about), ...data.notices.map((notice) => element('p', { class: 'note' }, notice)),
    ...summaryTables(data.comparison), settings(data)));
  const starts = [];
  place.append(section('distributions', 'Distributions',
    element('div', { class: 'pair' },
      distribution({ name: 'jct', title: 'Job completion time', about: `Cumulative distribution over the ${jobs}${data.cdf_note}.`, runs, of: 'jct', xTitle: 'JCT' }),
      distribution({ name: 'wait', title: 'Waiting time', about: `Cumulative distribution over the same jobs.`, runs, of: 'wait', xTitle: 'wait' }))));
  place.append(section('waiting', 'Waiting', waitingByCause(runs)));
  const timed = runs.filter((run) => run.timeline && run.timeline.time_s.length > 0);
  if (timed.length > 0) {
    const lines = timelines(timed);
    place.append(section('timeline', 'Over time', ...lines.shells));
    starts.push(lines.start);
  }
  const held = runs.filter((run) => run.gantt);
  if (held.length > 0) {
    const gantt = gantts(held);
    place.append(section('gantt', 'GPUs', gantt.shell));
    starts.push(gantt.start);
  }
  const tables = groupTables(runs);
  if (tables.length > 0) place.append(section('groups', 'Groups of jobs', ...tables));
  for (const start of starts) start();
  const nav = document.getElementById('sections');
  for (const one of place.querySelectorAll(':scope > section')) nav.append(element('li', {}, element('a', { href: `#${one.id}` }, one.querySelector('h2').textContent)));
  themeButton(document.getElementById('theme'));
  document.documentElement.dataset.drawnMs = String(Math.round(performance.now() - began));
}

main();
