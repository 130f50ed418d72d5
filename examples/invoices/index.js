// @ts-check
// An extension for invoices: numbers without gaps, a check of VAT ids, and an approval by a second person.
// Run it with: EXTENSIONS=./examples/invoices/index.js npm start
import { defineExtension, Refusal } from 'quire-server/extension';

/** @import { ExtensionContext, JsonData } from 'quire-server/extension' */

/** The form of VAT ids, by their first two letters. */
const vatForms = { AT: /^ATU\d{8}$/, DE: /^DE\d{9}$/, FR: /^FR[A-Z\d]{2}\d{9}$/ };

/** @param {unknown} value */
function requireVatId(value) {
  const text = String(value);
  const form = vatForms[/** @type {keyof typeof vatForms} */ (text.slice(0, 2))];
  if (form && !form.test(text)) throw new Refusal(`${text} is not a VAT id.`, { xpath: 'si:vatId' });
}

/** @param {Readonly<Record<string, JsonData | undefined>>} properties */
const grossOf = (properties) =>
  Math.round(Number(properties['si:net']) * (100 + Number(properties['si:vatRate'] ?? 0))) / 100;

/**
 * The sums of payments in cents, by the ids of invoices.
 * @param {ExtensionContext} context
 * @param {readonly string[]} ids
 */
async function paidFor({ sql }, ids) {
  /** @type {{ invoice: string, cents: string }[]} */
  const rows = await sql(
    'SELECT invoice, sum(cents) AS cents FROM ext_invoices_payment WHERE invoice = ANY($1::uuid[]) GROUP BY invoice',
    [ids],
  );
  return new Map(rows.map(({ invoice, cents }) => [invoice, Number(cents)]));
}

export default defineExtension({
  name: 'invoices',
  version: '1.0.0',
  quire: '^1.0',
  model: new URL('./model/', import.meta.url),
  migrations: new URL('./migrations/', import.meta.url),
  settings: {
    INVOICES_PREFIX: { description: 'The beginning of invoice numbers.', default: 'R' },
    INVOICES_APPROVERS: { description: 'The group whose members approve invoices.', default: 'members' },
  },

  before: [
    {
      types: ['SalesInvoice'],
      async run({ kind, document, before, changed }, context) {
        const { properties } = document;
        if (properties['si:vatId'] !== undefined) requireVatId(properties['si:vatId']);
        if (kind === 'create') {
          if (properties['si:number'] !== undefined || properties['si:approvedBy'] !== undefined)
            throw new Refusal('The number and the approval of an invoice are set by the server.');
          const year = new Date().getFullYear();
          const number = await context.nextNumber(`invoices-${year}`);
          const padded = String(number).padStart(5, '0');
          return {
            'si:number': `${context.settings.INVOICES_PREFIX}-${year}-${padded}`,
            'si:gross': grossOf(properties),
          };
        }
        if (changed.includes('si:number')) throw new Refusal('The number of an invoice cannot change.');
        if (before?.properties['si:approvedBy'] !== undefined)
          throw new Refusal('An approved invoice cannot change.');
        return { 'si:gross': grossOf(properties) };
      },
    },
  ],

  operations: [
    {
      id: 'Invoices.Approve',
      label: 'Approve invoice',
      description: 'Approves the input invoice. Its creator cannot approve it.',
      kind: 'mutation',
      input: 'document',
      output: 'document',
      permission: 'WriteProperties',
      async run({ user, graphql, settings }, invoice) {
        if (invoice?.type !== 'SalesInvoice')
          throw new Refusal('The document is not an invoice.', { status: 400 });
        const approvers = settings.INVOICES_APPROVERS ?? '';
        if (!user.isAdministrator && !user.groups.includes(approvers))
          throw new Refusal(`Only members of ${approvers} can approve invoices.`, { status: 403 });
        if (invoice.properties['dc:creator'] === user.id)
          throw new Refusal('The creator of an invoice cannot approve it.', { status: 403 });
        await graphql(
          `mutation ($id: ID!, $properties: JSON!) {
            updateDocument(id: $id, document: { properties: $properties }) { uid }
          }`,
          { id: invoice.id, properties: { 'si:approvedBy': user.id } },
        );
        return invoice.id;
      },
      resource: 'POST /approvals/:id',
    },
    {
      id: 'Invoices.Pay',
      label: 'Record payment',
      description: 'Records a payment of the input invoice, and returns the sums that are paid and open.',
      kind: 'mutation',
      input: 'document',
      output: 'json',
      permission: 'WriteProperties',
      parameters: { amount: { type: 'integer', description: 'The amount, in whole units.', required: true } },
      resource: 'POST /payments/:id',
      async run(context, invoice, { amount }) {
        if (invoice?.type !== 'SalesInvoice')
          throw new Refusal('The document is not an invoice.', { status: 400 });
        const due = Math.round(Number(invoice.properties['si:gross']) * 100);
        const before = (await paidFor(context, [invoice.id])).get(invoice.id) ?? 0;
        if (before >= due) throw new Refusal('The invoice is paid.');
        const cents = Number(amount) * 100;
        if (cents <= 0) throw new Refusal('A payment must be more than 0.', { status: 400 });
        await context.sql('INSERT INTO ext_invoices_payment (invoice, cents) VALUES ($1, $2)', [
          invoice.id,
          cents,
        ]);
        return { paid: (before + cents) / 100, open: Math.max(0, due - before - cents) / 100 };
      },
    },
    {
      id: 'Invoices.OfYear',
      label: 'Invoices of a year',
      description: 'Returns how many invoices of a year the user can read, and the first hundred.',
      kind: 'query',
      input: 'none',
      output: 'json',
      parameters: {
        year: { type: 'integer', description: 'The year of the invoice numbers.', required: true },
        approved: { type: 'boolean', description: 'Only invoices that are approved, or not approved.' },
      },
      resource: 'GET /years/:year',
      async run({ graphql, settings }, _, { year, approved }) {
        const state = approved === undefined ? '' : ` AND si:approvedBy IS ${approved ? 'NOT NULL' : 'NULL'}`;
        const query = `SELECT * FROM SalesInvoice WHERE si:number LIKE '${settings.INVOICES_PREFIX}-${year}-%'${state} ORDER BY si:number`;
        /** @type {{ search: { resultsCount: number, entries: JsonData } }} */
        const { search } = await graphql(
          'query ($query: String!) { search(query: $query, pageSize: 100) { resultsCount entries { uid path } } }',
          { query },
        );
        return { year: Number(year), count: search.resultsCount, entries: search.entries };
      },
    },
  ],

  enrichers: [
    {
      name: 'invoice',
      description: 'Whether an invoice is approved and overdue, and what is paid; null for other documents.',
      async values(documents, context) {
        const invoices = documents.filter(({ type }) => type === 'SalesInvoice');
        const paid = await paidFor(
          context,
          invoices.map(({ id }) => id),
        );
        return documents.map(({ id, type, properties }) => {
          if (type !== 'SalesInvoice') return null;
          const due = properties['si:due'];
          return {
            isApproved: properties['si:approvedBy'] !== undefined,
            isOverdue: typeof due === 'string' && Date.parse(due) < Date.now(),
            paid: (paid.get(id) ?? 0) / 100,
          };
        });
      },
    },
  ],

  queryProperties: [
    {
      name: 'invoices:paid',
      type: 'number',
      sql: 'SELECT coalesce(sum(p.cents), 0) / 100 FROM ext_invoices_payment p WHERE p.invoice = d.id',
    },
  ],

  queryPredicates: [
    {
      name: 'invoices:paidAfter',
      type: 'date',
      sql: 'EXISTS (SELECT FROM ext_invoices_payment p WHERE p.invoice = d.id AND p.received > $value::timestamptz)',
    },
  ],

  pageProviders: [
    {
      name: 'invoices_to_approve',
      description: 'The invoices that the user can approve, the most urgent first.',
      options: {
        aggregates: [{ id: 'customer_agg', property: 'si:customer', type: 'terms' }],
        sort: [{ property: 'si:due', order: 'asc' }],
        pageSize: 20,
      },
      async query({ parameters }, { user, settings }) {
        const approvers = settings.INVOICES_APPROVERS ?? '';
        if (!user.isAdministrator && !user.groups.includes(approvers))
          throw new Refusal(`Only members of ${approvers} approve invoices.`, { status: 403 });
        const isLarge = parameters.min === undefined ? '' : ' AND si:gross >= :min';
        return {
          query: `SELECT * FROM SalesInvoice WHERE si:approvedBy IS NULL AND dc:creator <> :user AND ecm:isTrashed = 0${isLarge}`,
          values: { user: user.id },
        };
      },
    },
  ],

  fetchProperties: [
    {
      xpath: 'si:approvedBy',
      description: 'The name of the person who approved an invoice, instead of the user name.',
      async values(documents, { graphql }) {
        const ids = [...new Set(documents.flatMap(({ properties }) => properties['si:approvedBy'] ?? []))];
        /** @type {{ usersByIds: ({ id: string, properties: Record<string, string> } | null)[] }} */
        const { usersByIds } = await graphql(
          'query ($ids: [ID!]!) { usersByIds(ids: $ids) { id properties } }',
          { ids },
        );
        const users = new Map(usersByIds.map((user) => [user?.id, user?.properties]));
        return documents.map(({ properties }) => {
          const user = users.get(String(properties['si:approvedBy']));
          return user ? [user.firstName, user.lastName].filter(Boolean).join(' ') || null : null;
        });
      },
    },
  ],

  after: [
    {
      name: 'tag-new-invoices',
      events: ['documentCreated'],
      types: ['SalesInvoice'],
      async run({ document }, { graphql }) {
        if (document)
          await graphql('mutation ($id: ID!) { addTag(id: $id, label: "invoice") { label } }', {
            id: document.id,
          });
      },
    },
  ],

  commands: [
    {
      name: 'list',
      summary: 'Lists the numbers and paths of the invoices of a year.',
      arguments: '<year>',
      async run([year = ''], { graphql, settings }) {
        if (!/^\d{4}$/.test(year)) throw new Refusal(`${year} is not a year.`, { status: 400 });
        const query = `SELECT * FROM SalesInvoice WHERE si:number LIKE '${settings.INVOICES_PREFIX}-${year}-%' ORDER BY si:number`;
        /** @type {{ search: { entries: { path: string, properties: Record<string, JsonData> }[] } }} */
        const { search } = await graphql(
          'query ($query: String!) { search(query: $query, pageSize: 1000) { entries { path properties } } }',
          { query },
        );
        const lines = search.entries.map(({ path, properties }) => `${properties['si:number']}  ${path}`);
        return [...lines, `${lines.length} invoices`].join('\n');
      },
    },
  ],
});
