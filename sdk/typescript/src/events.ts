// Streams that end when they end. The generator's own client of server-sent events sends the
// request again, for ever, when it is refused or its connection is cut, and hides the error.

import { client as usual } from './client.gen.js';
import type { Client } from './client/index.js';
import type { GenerateEvent, GenerateRequest, StreamEvent } from './types.gen.js';

export type StreamOptions = {
  path: { model_name: string; model_version?: string };
  body: GenerateRequest;
  client?: Client;
  headers?: Record<string, string>;
  /** Ends the generation; so does leaving the loop over the events. */
  signal?: AbortSignal;
};

/** The server refused (then with its status) or failed later (then with status 200). */
export class StreamError extends Error {
  constructor(
    readonly response: Response,
    readonly errorType: string | undefined,
    message: string,
  ) {
    super(message);
    this.name = 'StreamError';
  }

  get status(): number {
    return this.response.status;
  }
}

/** Throws StreamError, and what fetch throws, also when the connection ends before the stream. */
export async function* stream(options: StreamOptions): AsyncGenerator<GenerateEvent, void, void> {
  const { client = usual, path, headers, ...rest } = options;
  const { data, error, response } = await client.post<{ 200: unknown }, { 422: unknown }>({
    ...rest,
    path,
    headers: { 'Content-Type': 'application/json', ...headers },
    parseAs: 'stream',
    security: [{ scheme: 'bearer', type: 'http' }],
    url: path.model_version === undefined
      ? '/v2/models/{model_name}/generate_stream'
      : '/v2/models/{model_name}/versions/{model_version}/generate_stream',
  });
  if (response === undefined) throw error;
  if (!response.ok) throw refusal(response, error);
  for await (const frame of frames(data as ReadableStream<Uint8Array>)) {
    const event = JSON.parse(frame.slice('data:'.length)) as StreamEvent;
    if ('error' in event) throw refusal(response, event);
    yield event;
  }
}

async function* frames(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function refusal(response: Response, error: unknown): StreamError {
  const told = error as { error?: string; error_type?: string };
  return new StreamError(response, told.error_type, told.error ?? `status ${response.status}`);
}
