/** The stock administrator. */
export const administrator = { username: 'Administrator', password: 'Administrator' } as const;

/** The header by which the administrator logs in. */
export const authorization = `Basic ${Buffer.from(Object.values(administrator).join(':')).toString('base64')}`;
