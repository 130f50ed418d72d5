/** The answer of the host to a process that knows its token. */
export type HostReply = { readonly url: string; readonly notice: string } | { readonly fault: string };

export type HostMessage = 'listening' | { readonly inUse: string } | { readonly fault: string };
