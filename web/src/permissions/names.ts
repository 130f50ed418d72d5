import { textOr } from '../texts/text.ts';

export const permissionText = (permission: string): string => textOr(`permission.${permission}`, permission);
