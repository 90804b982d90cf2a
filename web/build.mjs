// Bundles the page's script and styles and writes them, with the page around them, as one C++
// source.
// usage: node build.mjs OUT.cpp
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const text = (...path) => readFileSync(join(here, ...path), 'utf8');

async function bundle(entry, loader) {
  const result = await build({ ...entry, absWorkingDir: here, bundle: true, minify: true, write: false, charset: 'utf8', target: 'es2022', legalComments: 'none', ...loader });
  return result.outputFiles[0].text.trimEnd();
}

const hash = (of) => `sha256-${createHash('sha256').update(of, 'utf8').digest('base64')}`;
const html = (of) => of.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A C++ string of any length, in pieces that every compiler takes. */
function literal(of) {
  const pieces = [];
  for (let at = 0; at < of.length; at += 8000) pieces.push(`R"~orrery~(${of.slice(at, at + 8000)})~orrery~"`);
  return pieces.join('\n    ');
}

const script = await bundle({ entryPoints: ['src/main.js'] }, { format: 'iife' });
const style = await bundle({ stdin: { contents: "@import 'uplot/dist/uPlot.min.css'; @import './src/style.css';", resolveDir: here, loader: 'css' } }, {});
if (/<\/script/i.test(script)) throw new Error('the script would end itself');
const licences = `uPlot ${JSON.parse(text('node_modules', 'uplot', 'package.json')).version}\n\n${text('node_modules', 'uplot', 'LICENSE')}`;
const values = { script, style, script_hash: hash(script), style_hash: hash(style), licences: html(licences) };
const page = text('page.html').replace(/@(script|style|script_hash|style_hash|licences)@/g, (whole, name) => values[name]);
const parts = page.split(/@(subtitle|footer|data)@/);
if (parts.length !== 7 || parts[1] !== 'subtitle' || parts[3] !== 'footer' || parts[5] !== 'data') throw new Error('page.html lacks a place');

writeFileSync(process.argv[2], `// Made by web/build.mjs.
#include "report/report_page.hpp"

namespace orrery {

const ReportPage& report_page() {
  static const ReportPage page{
    ${literal(parts[0])},
    ${literal(parts[2])},
    ${literal(parts[4])},
    ${literal(parts[6])}};
  return page;
}

}  // namespace orrery
`);
