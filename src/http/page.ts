import { createHash } from 'node:crypto';
import escapeHtml from 'escape-html';
import type { Response } from 'express';
import type { Language } from '../model/labels.ts';

const style = `
:root { color-scheme: light dark; --paper: #fff; --page: #eef1f4; --ink: #1d2733; --soft: #5b6875; --line: #cfd7df;
  --accent: #1f5fa8; --on: #fff; --fault: #a3262a; --tint: #fbecec; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b222b; --page: #11161c; --ink: #e7ecf1; --soft: #9aa7b4;
  --line: #37424e; --accent: #6ea8ea; --on: #0d1620; --fault: #f19a9c; --tint: #3a2224; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--page);
  color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 26rem; background: var(--paper); border: 1px solid var(--line); border-radius: 12px;
  padding: 2rem; box-shadow: 0 8px 30px rgb(0 0 0 / 8%); }
dl { margin: 0 0 1rem; overflow-wrap: anywhere; }
dt { font-size: .85rem; font-weight: 600; }
dd { margin: 0 0 .5rem; color: var(--soft); white-space: pre-wrap; }
.brand { margin: 0 0 1.25rem; font-size: .8rem; font-weight: 600; letter-spacing: .14em; text-transform: uppercase;
  color: var(--soft); }
h1 { margin: 0 0 .75rem; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; }
p, li { margin: 0 0 1rem; color: var(--soft); overflow-wrap: anywhere; }
strong { color: var(--ink); font-weight: 600; }
ul { margin: 0 0 1rem; padding-left: 1.2rem; }
li { margin-bottom: .3rem; }
label { display: block; margin-bottom: .9rem; font-size: .9rem; font-weight: 600; }
input { display: block; width: 100%; margin-top: .3rem; padding: .65rem .75rem; font: inherit; color: inherit;
  background: var(--page); border: 1px solid var(--line); border-radius: 8px; }
.actions { display: flex; gap: .75rem; margin-top: 1.5rem; }
a.button { display: block; margin-bottom: .75rem; text-align: center; text-decoration: none; }
button, a.button { flex: 1; padding: .7rem 1rem; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer;
  border: 1px solid var(--line); background: transparent; color: var(--ink); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on); }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.fault { margin: 0 0 1rem; padding: .6rem .8rem; border-radius: 8px; background: var(--tint); color: var(--fault);
  font-size: .9rem; }
small { display: block; margin-top: 1.25rem; color: var(--soft); overflow-wrap: anywhere; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * Returns the value of `form-action` in the content security policy. It allows this server and, if the form redirects
 * to a client, that client.
 */
function formTargets(redirectUri: string | undefined): string {
  if (redirectUri === undefined) return "'self'";
  const { protocol, origin } = new URL(redirectUri);
  return `'self' ${/^https?:$/.test(protocol) ? origin : protocol}`;
}

interface Page {
  readonly title: string;
  readonly body: string;
  readonly redirectUri?: string;
  /** An address on this server to which the page immediately redirects the browser. */
  readonly continueAt?: string;
  readonly language?: Language;
}

/** Sends an HTML page that cannot run scripts, load resources or be framed. */
export function sendPage(
  response: Response,
  { title, body, redirectUri, continueAt, language = 'en' }: Page,
): void {
  const refresh =
    continueAt === undefined ? '' : `<meta http-equiv="refresh" content="0;url=${escapeHtml(continueAt)}">`;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action ${formTargets(redirectUri)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    // With `no-referrer`, browsers would send the origin "null" when they submit forms, which `sameOrigin` rejects.
    'Referrer-Policy': 'same-origin',
  });
  response
    .vary('Accept-Language')
    .type('html')
    .send(`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${refresh}<title>${escapeHtml(title)} – Quire</title><style>${style}</style></head>
<body><main><p class="brand">Quire</p>${body}</main></body>
</html>
`);
}
