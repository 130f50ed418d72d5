export interface DefaultDocument {
  /** The name of the document; empty for the root. */
  readonly name: string;
  readonly type: string;
  /** The value of `dc:title`; absent for the root. */
  readonly title?: string;
  /** The permissions that the local ACL grants (§2.5), keyed by the name of the user or group. */
  readonly local?: Readonly<Record<string, string>>;
  readonly children?: readonly DefaultDocument[];
}

/**
 * Returns the documents with which a new repository is created.
 * @param administrator the user name of the initial administrator
 */
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
