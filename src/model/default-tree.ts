/** A document that a new repository starts with. */
export interface DefaultDocument {
  /** Its segment of the path; empty for the root. */
  readonly name: string;
  readonly type: string;
  /** `dc:title`; the root has none. */
  readonly title?: string;
  /** Its local ACL (§2.5): permissions granted, by user or group. */
  readonly local?: Readonly<Record<string, string>>;
  readonly children?: readonly DefaultDocument[];
}

/** The documents of a new repository, the root first. @param administrator the name of the stock user. */
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
