/** The default administrator. */
export const administrator = { username: 'Administrator', password: 'Administrator' } as const;

/** The `Authorization` header of the default administrator. */
export const authorization = `Basic ${Buffer.from(Object.values(administrator).join(':')).toString('base64')}`;
