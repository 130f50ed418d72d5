/** An extension whose every part fails in its own way. */
export default {
  name: 'faulty',
  version: '1.0.0',
  quire: '^1.0',
  enrichers: [
    {
      name: 'throwing',
      description: 'Throws.',
      values: async () => {
        throw new Error('secret detail');
      },
    },
    {
      name: 'slow',
      description: 'Takes three seconds.',
      values: async (documents) => {
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        return documents.map(() => 'late');
      },
    },
    { name: 'number', description: 'Returns a number.', values: async () => 1 },
    { name: 'bigint', description: 'Returns a bigint.', values: async () => [{ total: [1n] }] },
    {
      name: 'cycle',
      description: 'Returns a value that contains itself.',
      values: async () => {
        const value = {};
        value.self = value;
        return [value];
      },
    },
    { name: 'map', description: 'Returns a map.', values: async () => [new Map()] },
    { name: 'rejecting', description: 'Does not return a promise.', values: () => [null] },
    { name: 'short', description: 'Returns too few values.', values: async () => [] },
    {
      name: 'perRow',
      description: 'Asks for each document.',
      values: (documents, { graphql }) =>
        Promise.all(
          documents.map(({ id }) => graphql('query ($id: ID!) { document(id: $id) { title } }', { id })),
        ),
    },
    {
      name: 'writing',
      description: 'Writes in a read.',
      values: async (documents, { graphql }) => {
        await graphql('mutation ($id: ID!) { addTag(id: $id, label: "read") { label } }', {
          id: documents[0].id,
        });
        return documents.map(() => null);
      },
    },
  ],
  operations: [
    {
      id: 'Faulty.Sql',
      label: 'Sql',
      description: 'Writes by SQL in a function that only reads.',
      kind: 'query',
      input: 'none',
      output: 'json',
      parameters: { sql: { type: 'string', description: 'The statement.', required: true } },
      run: async ({ sql: run }, _, { sql }) => ({ rows: await run(sql) }),
    },
    {
      id: 'Faulty.Reject',
      label: 'Reject',
      description: 'Leaves a rejected promise.',
      kind: 'query',
      input: 'none',
      output: 'none',
      run: async () => {
        void Promise.reject(new Error('nobody handles this'));
      },
    },
    {
      id: 'Faulty.Share',
      label: 'Share',
      description: 'Returns a part of a total.',
      kind: 'query',
      input: 'none',
      output: 'json',
      parameters: {
        total: { type: 'integer', description: 'The total.', required: true },
        day: { type: 'date', description: 'The day of the total.' },
      },
      resource: 'GET /shares',
      run: async (_context, _input, { total }) => ({ share: total / 2 }),
    },
    {
      id: 'Faulty.Block',
      label: 'Block',
      description: 'Blocks the event loop.',
      kind: 'query',
      input: 'none',
      output: 'json',
      run: async () => {
        const end = performance.now() + 120;
        while (performance.now() < end);
        return { blocked: true };
      },
    },
    {
      id: 'Faulty.Json',
      label: 'Json',
      description: 'Returns a function instead of JSON.',
      kind: 'query',
      input: 'none',
      output: 'json',
      run: async () => ({ call: () => 1 }),
    },
    {
      id: 'Faulty.Document',
      label: 'Document',
      description: 'Returns a number instead of a document.',
      kind: 'query',
      input: 'none',
      output: 'document',
      run: async () => 1,
    },
    {
      id: 'Faulty.Read',
      label: 'Read',
      description: 'Reads a document as the user.',
      kind: 'query',
      input: 'none',
      output: 'json',
      parameters: { path: { type: 'string', description: 'The path.', required: true } },
      run: ({ graphql }, _, { path }) =>
        graphql('query ($path: String!) { document(path: $path) { title } }', { path }),
    },
  ],
  pageProviders: [
    { name: 'faulty_text', description: 'Returns a string.', query: async () => 'SELECT * FROM Document' },
    {
      name: 'faulty_query',
      description: 'Returns a query that is not NXQL.',
      query: async () => ({ query: 'SELECT * FROM Document WHERE' }),
    },
  ],
  converters: [
    {
      name: 'backwards',
      from: ['application/x-backwards'],
      to: 'text',
      convert: async (bytes) => {
        const text = Buffer.from(bytes).toString();
        if (text.startsWith('hang')) for (;;);
        if (text.startsWith('bad')) throw new Error('the file is bad');
        return `${[...text].reverse().join('')} ${Object.keys(process.env).length}settings`;
      },
    },
  ],
  handlers: [
    {
      path: '/mirror',
      access: 'users',
      handle: async (request, response, { read, write }) => {
        if (request.url === '/throw') throw new Error('secret detail');
        if (request.url === '/refuse')
          throw Object.assign(new Error('Not today.'), { name: 'Refusal', status: 403 });
        const run = request.method === 'POST' ? write : read;
        const path = await run(async ({ graphql }) => {
          const { createDocument } = await graphql(
            'mutation ($parent: String!, $document: NewDocument!) { createDocument(parentPath: $parent, document: $document) { path } }',
            { parent: '/default-domain/workspaces', document: { type: 'Folder', name: 'mirror' } },
          );
          return createDocument.path;
        });
        response.end(path);
      },
    },
    {
      path: '/.well-known/mirror',
      access: 'everyone',
      handle: async (request, response, work) =>
        void response.end(`${request.method} ${request.url} ${work}`),
    },
  ],
  before: [
    {
      types: ['Note'],
      run: async ({ document }) => {
        if (document.title === 'slow') await new Promise((resolve) => setTimeout(resolve, 10_000));
        if (document.title === 'unknown property') return { 'no:property': 1 };
        if (document.title === 'completed.txt') return { 'dc:description': 'completed' };
        if (document.title === 'refused.txt')
          throw Object.assign(new Error('Not wanted here.'), { name: 'Refusal', status: 409 });
        if (document.title === 'a string') return 'dc:description';
        if (document.title === 'a function') return { 'dc:description': () => '' };
        if (document.title === 'long title') return { 'dc:title': 'x'.repeat(20_000) };
        if (document.title === 'an unknown property') return { 'dc:titel': 'x' };
        return undefined;
      },
    },
  ],
};
