/** The response of the host process to a process that has sent the correct token. */
export type HostReply = { readonly url: string; readonly notice: string } | { readonly fault: string };

/** A message from the host process to the process that started it. */
export type HostMessage = 'listening' | { readonly inUse: string } | { readonly fault: string };
