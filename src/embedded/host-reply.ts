/** The response of the host to a process that has sent the token. */
export type HostReply = { readonly url: string; readonly notice: string } | { readonly fault: string };

/** A message from the host to the process that has started it. */
export type HostMessage = 'listening' | { readonly inUse: string } | { readonly fault: string };
