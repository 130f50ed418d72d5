export interface DefaultDocument {
  /** Empty for the root. */
  readonly name: string;
  readonly type: string;
  /** `dc:title`; the root has none. */
  readonly title?: string;
  /** Permissions of its local ACL (§2.5), by user or group. */
  readonly local?: Readonly<Record<string, string>>;
  readonly children?: readonly DefaultDocument[];
}

/** The tree of documents of a new repository. @param administrator the name of the stock user. */
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
