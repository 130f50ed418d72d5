/** A paragraph in which text between backticks is shown as code. */
export const Prose = ({ text }: { readonly text: string }) => (
  <p>
    {text.split('`').map((part, at) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have a fixed order
      at % 2 === 1 ? <code key={at}>{part}</code> : part,
    )}
  </p>
);
