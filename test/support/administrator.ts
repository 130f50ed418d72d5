/** The stock administrator. */
export const administrator = { username: 'Administrator', password: 'Administrator' } as const;

/** The value of the Authorization header that authenticates the administrator. */
export const authorization = `Basic ${Buffer.from(Object.values(administrator).join(':')).toString('base64')}`;
