import { kindOf } from './kinds.ts';

interface IconProps {
  readonly type: string;
  readonly facets?: readonly string[];
  readonly blob?: { readonly mimeType: string } | null;
  readonly size?: number;
}

/** The icon for the document's kind, in the color of that kind. */
export function DocumentIcon({ size = 18, ...document }: IconProps) {
  const { name, icon: Icon } = kindOf(document);
  return <Icon size={size} aria-hidden className={`icon kind-${name}`} />;
}
