export interface DefaultDocument {
  /** Empty for the root. */
  readonly name: string;
  readonly type: string;
  /** The value of `dc:title`; absent for the root. */
  readonly title?: string;
  /** The permissions in the local ACL (§2.5), by the name of a user or group. */
  readonly local?: Readonly<Record<string, string>>;
  readonly children?: readonly DefaultDocument[];
}

/** The documents that a new repository starts with. @param administrator the name of the initial administrator. */
export const defaultTree = (administrator: string): DefaultDocument => ({
  name: '',
  type: 'Root',
  local: { [administrator]: 'Everything', members: 'Read' },
  children: [
    {
      name: 'default-domain',
      type: 'Domain',
      title: 'Domain',
      children: [
        { name: 'workspaces', type: 'WorkspaceRoot', title: 'Workspaces' },
        {
          name: 'sections',
          type: 'SectionRoot',
          title: 'Sections',
          local: { members: 'CanAskForPublishing' },
        },
        { name: 'templates', type: 'TemplateRoot', title: 'Templates' },
      ],
    },
  ],
});
