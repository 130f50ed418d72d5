import { textOr } from '../texts/text.ts';

export const permissionText = (permission: string): string => textOr(`permission.${permission}`, permission);

/** Returns the label of a mode, which determines what people can do with a link: `read`, `comment` or `upload`. */
export const modeText = (mode: string): string => textOr(`links.mode.${mode}`, mode);
