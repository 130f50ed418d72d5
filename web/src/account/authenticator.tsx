import { useEffect, useState } from 'react';
import { TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';

/** Shows the QR code of an address. The code is drawn in the page itself. */
function QrCode({ value }: { readonly value: string }) {
  const [drawn, setDrawn] = useState<{ readonly path: string; readonly size: number }>();
  useEffect(() => {
    void import('uqr').then(({ encode }) => {
      const { data, size } = encode(value, { border: 2 });
      const squares = data.flatMap((row, y) =>
        row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
      );
      setDrawn({ path: squares.join(''), size });
    });
  }, [value]);
  if (!drawn) return null;
  const { path, size } = drawn;
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={text('second.qr')}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

interface AuthenticatorProps {
  readonly uri: string;
  readonly secret: string;
  readonly code: string;
  readonly onCode: (code: string) => void;
}

/**
 * Shows a new secret for an authenticator app, and a field for the code that confirms that the app has the secret.
 */
export const Authenticator = ({ uri, secret, code, onCode }: AuthenticatorProps) => (
  <>
    <p className="hint">{text('second.scan')}</p>
    <QrCode value={uri} />
    <p className="hint">{text('second.type')}</p>
    <pre className="code">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</pre>
    <CodeField value={code} onChange={onCode} />
  </>
);

interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly hint?: string;
}

export const CodeField = ({ hint, ...props }: CodeFieldProps) => (
  <TextField
    {...props}
    {...(hint && { hint })}
    label={text('second.code')}
    name="code"
    autoComplete="one-time-code"
    autoFocus
    isRequired
  />
);

/** Shows the recovery codes, which the server returns only once. */
export const RecoveryCodes = ({ codes }: { readonly codes: readonly string[] }) => (
  <>
    <p>{text('second.keepCodes')}</p>
    <pre className="code">{codes.join('\n')}</pre>
  </>
);
