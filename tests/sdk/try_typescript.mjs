// node try_typescript.mjs COMPILED ARGUMENTS: exits 0 when the TypeScript SDK keeps its promises.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const [compiled, text] = process.argv.slice(2);
const { url, refusing, later, key } = JSON.parse(text);
const { detokenize, generate, generateVersion, modelStats, stopInfer, tokenize } = await import(`${compiled}/index.js`);
const { createClient } = await import(`${compiled}/client/index.js`);
const { StreamError, stream } = await import(`${compiled}/events.js`);

const SEED = Number.MAX_SAFE_INTEGER;
const MIXED = '今天天气很好 🙂🏳️‍🌈 e\u0301 \u2028';
const client = createClient({ baseUrl: url });
const path = { model_name: 'tiny' };
const request = (parameters, text_input = MIXED) => ({
  text_input,
  parameters: { details: true, max_new_tokens: 32, ...parameters },
});

async function collect(options) {
  const events = [];
  for await (const event of stream(options)) events.push(event);
  return events;
}

async function untilIdle() {
  for (let tries = 0; tries < 500; tries += 1) {
    const { data } = await modelStats({ client, path });
    if (data.model_stats[0].num_running === 0) return;
    await sleep(20);
  }
  assert.fail('the generation goes on');
}

async function refused(options, status) {
  const { error, response } = await generate(options);
  assert.equal(response.status, status);
  assert.deepEqual(Object.keys(error), ['error', 'error_type']);
  await assert.rejects(collect(options), (raised) => {
    assert.ok(raised instanceof StreamError, String(raised));
    assert.deepEqual([raised.status, raised.errorType], [status, error.error_type]);
    if (status === 429) assert.equal(raised.response.headers.get('retry-after'), '7');
    return true;
  });
}

const sampled = { client, path, body: request({ do_sample: true, seed: SEED }) };
const { data: answer } = await generate(sampled);
assert.equal(answer.details.seed, SEED);
const versioned = { ...path, model_version: '1' };
const { data: again } = await generateVersion({ ...sampled, path: versioned });
assert.deepEqual([again.text_output, again.model_version], [answer.text_output, '1']);
console.log('ok   seed');

for (const place of [path, versioned]) {
  const events = await collect({ ...sampled, path: place });
  assert.equal(events.map((event) => event.text_output).join(''), answer.text_output);
  assert.equal(events.at(-1).details.finish_reason, 'length');
  assert.ok(events.length > 8);
}
console.log('ok   stream');

const { data: tokens } = await tokenize({ client, path, body: { text_input: MIXED } });
const { data: back } = await detokenize({ client, path, body: { token_ids: tokens.token_ids } });
assert.equal(back.text_output, MIXED);
console.log('ok   Chinese and emoji');

const long = { client, path, body: request({ max_new_tokens: 100, ignore_eos: true }, 'a') };
for await (const _ of stream(long)) break;
await untilIdle();
const controller = new AbortController();
await assert.rejects(async () => {
  for await (const _ of stream({ ...long, signal: controller.signal })) controller.abort();
}, { name: 'AbortError' });
await untilIdle();
const seen = [];
for await (const event of stream({ ...long, body: { ...long.body, id: '停-1' } })) {
  if (seen.length === 0) await stopInfer({ client, path, body: { id: '停-1' } });
  seen.push(event);
}
assert.equal(seen.at(-1).details.finish_reason, 'stop_sequence');
console.log('ok   cancel');

await refused({ client, path: { model_name: 'nobody' }, body: request({}) }, 404);
await refused({ ...long, body: request({ timeout: 0.001, max_new_tokens: 100, ignore_eos: true }) }, 408);
await refused({ client, path, body: request({}, 'a'.repeat(7_000_000)) }, 413);
await refused({ client, path, body: request({}), headers: { 'Content-Type': 'text/plain' } }, 415);
await refused({ client, path, body: request({ top_p: 1.5 }) }, 422);
await refused({ client, path, body: request({}), headers: { 'X-Large': 'a'.repeat(70_000) } }, 431);
for (const [status, baseUrl] of Object.entries(refusing)) {
  const options = { path: { model_name: 'fake' }, body: request({}) };
  await refused({ ...options, client: createClient({ baseUrl }) }, Number(status));
}
const keyed = createClient({ baseUrl: refusing[401], auth: key });
const { response } = await generate({ client: keyed, path: { model_name: 'fake' }, body: request({}) });
assert.equal(response.status, 200);
const failing = { client: createClient({ baseUrl: later }), path: { model_name: 'fake' }, body: request({}) };
let count = 0;
await assert.rejects(async () => {
  for await (const _ of stream(failing)) count += 1;
}, { name: 'StreamError', errorType: 'Generation Error', status: 200 });
assert.equal(count, 2);
console.log('ok   errors');
