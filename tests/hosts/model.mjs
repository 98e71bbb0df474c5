// Model APIs on loopback, for the hosts to talk to: they ask for tool calls by a plan, and keep what the host gives the model.
import http from 'node:http';

const json = (response, body) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const stream = (response, events) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
};

/**
 * Serves `answer(path, body)` until it is closed. `results(body)` gives the texts of the tool results in a request; `plan`
 * is a list of calls, or of functions from the results so far to a call.
 */
const serve = (results, respond) => async (plan) => {
  const seen = [];
  const server = http.createServer((request, response) => {
    let text = '';
    request.on('data', (data) => (text += data));
    request.on('end', () => {
      let body = {};
      try {
        body = JSON.parse(text);
      } catch {
        // Not a request to the model.
      }
      const found = results(body);
      if (found.length > seen.length) seen.push(...found.slice(seen.length));
      const next = plan[found.length];
      respond(request, response, body, typeof next === 'function' ? next(found) : next);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, seen, close: () => server.close() };
};

const texts = (content) => (typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n'));

/** The Messages API, for Claude Code. */
export const anthropic = serve(
  (body) => {
    const blocks = (body.messages ?? []).flatMap(({ content }) => (Array.isArray(content) ? content : []));
    return blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => texts(content));
  },
  (request, response, body, call) => {
    if (!request.url.startsWith('/v1/messages')) return json(response, {});
    if (request.url.includes('count_tokens')) return json(response, { input_tokens: 1000 });
    // Requests of the host's own, for a title say, bring hardly any tools.
    const asked = (body.tools?.length ?? 0) > 3 ? call : undefined;
    const block = asked
      ? { type: 'tool_use', id: `toolu_${body.messages.length}`, name: asked.name, input: asked.input }
      : { type: 'text', text: 'done' };
    const stop_reason = asked ? 'tool_use' : 'end_turn';
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, stop_sequence: null };
    const usage = { input_tokens: 10, output_tokens: 5 };
    if (!body.stream) return json(response, { ...message, content: [block], stop_reason, usage });
    const opening = asked ? { ...block, input: {} } : { type: 'text', text: '' };
    const delta = asked
      ? { type: 'input_json_delta', partial_json: JSON.stringify(asked.input) }
      : { type: 'text_delta', text: block.text };
    return stream(response, [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: opening },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ]);
  },
);

/** The Responses API, for Codex. */
export const openai = serve(
  (body) => (body.input ?? []).filter(({ type }) => type?.endsWith('_output')).map(({ output }) => texts(output)),
  (request, response, body, call) => {
    if (request.method !== 'POST') return json(response, { object: 'list', data: [], models: [] });
    const item = call
      ? { type: 'function_call', id: 'fc_1', call_id: `call_${body.input.length}`, ...call }
      : { type: 'message', id: 'm_1', role: 'assistant', content: [{ type: 'output_text', text: 'done', annotations: [] }] };
    const answer = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] };
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    };
    return stream(response, [
      { type: 'response.created', response: answer },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
      { type: 'response.completed', response: { ...answer, status: 'completed', output: [item], usage } },
    ]);
  },
);

/** Chat completions, for opencode. */
export const chat = serve(
  (body) => (body.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => texts(content)),
  (request, response, body, call) => {
    const chunk = (delta, finish_reason = null) => ({
      id: 'chat_1',
      object: 'chat.completion.chunk',
      created: 1,
      model: body.model,
      choices: [{ index: 0, delta, finish_reason }],
    });
    const asked = (body.tools?.length ?? 0) > 3 ? call : undefined;
    const tool_calls = asked && [{ index: 0, id: `call_${body.messages.length}`, type: 'function', function: asked }];
    const chunks = [
      chunk(asked ? { role: 'assistant', tool_calls } : { role: 'assistant', content: 'done' }),
      chunk({}, asked ? 'tool_calls' : 'stop'),
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const each of chunks) response.write(`data: ${JSON.stringify(each)}\n\n`);
    response.end('data: [DONE]\n\n');
  },
);

/** The Gemini API, for Gemini CLI. */
export const gemini = serve(
  (body) => {
    const parts = (body.contents ?? []).flatMap((content) => content.parts ?? []);
    const found = parts.filter((part) => part.functionResponse).map(({ functionResponse: { response } }) => response);
    return found.map((result) => result.output ?? result.error ?? JSON.stringify(result));
  },
  (request, response, body, call) => {
    const hasTools = (body.tools ?? []).some(({ functionDeclarations }) => functionDeclarations?.length > 3);
    const part = hasTools && call ? { functionCall: call } : { text: body.generationConfig?.responseMimeType ? '{}' : 'done' };
    const candidates = [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }];
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    const answer = { candidates, usageMetadata, modelVersion: 'mock' };
    if (!request.url.includes('stream')) return json(response, request.url.includes('countTokens') ? { totalTokens: 10 } : answer);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(`data: ${JSON.stringify(answer)}\n\n`);
  },
);
