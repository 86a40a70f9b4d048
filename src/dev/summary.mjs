// SPDX-License-Identifier: MIT
// Adds up the reports of the test suites named on the command line: node summary.mjs SUITE...
// A suite that did not run, crashed, or has fewer tests than floors.json asks for counts one failure.
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

// ctest writes the escape character, which XML can't hold, by name.
const withoutColours = (text) => text.replace(/\[NON-XML-CHAR-0x1B\]\[[\d;]*m/g, '');

const attribute = (tag, name) => decode(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

const lastLines = (text) => text.trimEnd().split('\n').slice(-outputLines).map((line) => `    ${line}`).join('\n');

/** Why a test was skipped: Catch2 says it in its output, Node.js in the message. */
function skipReason(tag, body) {
  const catch2 = /explicitly with message:\s*\n\s*([^\n]+)/.exec(body);
  // Node.js 20 escapes its messages twice.
  const message = decode(attribute(tag, 'message'));
  return catch2 ? decode(catch2[1]) : message === 'true' ? '' : message;
}

/** The test cases of a JUnit file, as ctest and Node.js write it: { name, outcome, detail }. */
function parseReport(xml) {
  const cases = [];
  const pattern = /<testcase\b((?:[^>"]|"[^"]*")*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;
  for (const [, head, body = ''] of withoutColours(xml).matchAll(pattern)) {
    const name = attribute(head, 'name');
    const skipped = /<skipped\b((?:[^>"]|"[^"]*")*)/.exec(body);
    const failed = /<(?:failure|error)\b((?:[^>"]|"[^"]*")*?)\/?>/.exec(body);
    if (failed) {
      const text = decode(body.replace(/<[/!?]?[a-z](?:[^>"]|"[^"]*")*>/gi, '')).trim();
      cases.push({ name, outcome: 'failed', detail: text || attribute(failed[1], 'message') });
    } else if (skipped || ['disabled', 'notrun'].includes(attribute(head, 'status'))) {
      cases.push({ name, outcome: 'skipped', detail: skipReason(skipped?.[1] ?? '', body) });
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
  const floor = floors[suite] ?? 1;
  const log = () => read(`${reports}/${suite}.log`);
  for (const file of failed.filter(({ name }) => name.endsWith('.test.mjs'))) file.detail = log();
  if (status !== 'ok' && failed.length === 0) {
    failed.push({ name: `suite ${suite}`, detail: `${status}\n${log()}` });
  } else if (cases.length < floor) {
    failed.push({ name: `suite ${suite}`, detail: `${cases.length} tests were there, skipped ones included; ${floor} must be` });
  }
  return { suite, passed: of('passed'), failed, skipped: of('skipped') };
}

const results = process.argv.slice(2).map(summarise);
for (const { suite, failed } of results) {
  for (const { name, detail } of failed) console.log(`\nFAILED ${suite}: ${name}\n${lastLines(detail)}`);
}
console.log();
for (const { suite, passed, failed, skipped } of results) {
  console.log(`${suite}: ${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
  for (const { name, detail } of skipped) console.log(`  skipped: ${name}: ${detail || 'no reason given'}`);
}

const total = (outcome) => results.reduce((sum, result) => sum + result[outcome].length, 0);
const skips = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
console.log(`${total('passed')} passed, ${total('failed')} failed${skips}`);
process.exitCode = total('failed') > 0 ? 1 : 0;
