// SPDX-License-Identifier: MIT
// Adds up the reports of the test suites named on the command line: node summary.mjs SUITE...
// A suite that did not run, crashed, or ran fewer tests than floors.json asks for counts one failure.
import { existsSync, readFileSync } from 'node:fs';

const reports = 'build/reports';
const floors = JSON.parse(readFileSync(new URL('./floors.json', import.meta.url), 'utf8'));
const outputLines = 40;

const entities = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const decode = (text) =>
  text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, inside) => inside.replace(/&/g, '&amp;'))
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
      name ? (entities[name] ?? whole) : String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex, 16)));

const attribute = (tag, name) => decode(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

const lastLines = (text) => text.trimEnd().split('\n').slice(-outputLines).map((line) => `    ${line}`).join('\n');

/** The test cases of a JUnit file, as ctest and Node.js write it: { name, outcome, detail }. */
export function parseReport(xml) {
  const cases = [];
  for (const [, head, end, body = ''] of xml.matchAll(/<testcase\b((?:[^>"]|"[^"]*")*?)(?:\/>|(>)([\s\S]*?)<\/testcase>)/g)) {
    const name = attribute(head, 'name');
    const skipped = /<skipped\b((?:[^>"]|"[^"]*")*)/.exec(body);
    const failed = /<(?:failure|error)\b((?:[^>"]|"[^"]*")*?)\/?>/.exec(body);
    if (end && failed) {
      const text = decode(body.replace(/<[/!?]?[a-z][^>]*>/g, '')).trim();
      cases.push({ name, outcome: 'failed', detail: text || attribute(failed[1], 'message') });
    } else if (skipped || attribute(head, 'status') === 'disabled' || attribute(head, 'status') === 'notrun') {
      const reason = skipped ? attribute(skipped[1], 'message') : '';
      cases.push({ name, outcome: 'skipped', detail: reason === 'true' ? '' : reason });
    } else {
      cases.push({ name, outcome: 'passed', detail: '' });
    }
  }
  return cases;
}

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function summarise(suite) {
  const status = read(`${reports}/${suite}.status`).trim() || 'did not end';
  const cases = parseReport(read(`${reports}/${suite}.xml`));
  const of = (outcome) => cases.filter((one) => one.outcome === outcome);
  const failed = of('failed');
  const ran = of('passed').length + failed.length;
  const floor = floors[suite] ?? 1;
  if (status !== 'ok' && failed.length === 0) {
    failed.push({ name: `suite ${suite}`, detail: `${status}\n${lastLines(read(`${reports}/${suite}.log`))}` });
  } else if (ran < floor) {
    failed.push({ name: `suite ${suite}`, detail: `ran ${ran} tests, fewer than the ${floor} there must be` });
  }
  return { suite, passed: of('passed'), failed, skipped: of('skipped') };
}

function describe({ suite, passed, failed, skipped }) {
  const lines = failed.map(({ name, detail }) => `\nFAILED ${suite}: ${name}\n${lastLines(detail)}`);
  if (failed.length > 0) lines.push('');
  lines.push(`${suite}: ${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
  for (const { name, detail } of skipped) lines.push(`  skipped: ${name}: ${detail || 'no reason given'}`);
  return lines.join('\n');
}

const results = process.argv.slice(2).map(summarise);
const total = (outcome) => results.reduce((sum, result) => sum + result[outcome].length, 0);
console.log(results.map(describe).join('\n'));
const skips = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
console.log(`${total('passed')} passed, ${total('failed')} failed${skips}`);
process.exitCode = total('failed') > 0 ? 1 : 0;
