/**
 * The message of the error for a file that cannot be read without a password or key. It reveals nothing secret, so it
 * can be shown to every user who can read the file.
 */
export const encryptedFault = 'the file is encrypted';

export const encrypted = (): Error => new Error(encryptedFault);
