/** A document that a new repository starts with. */
export interface DefaultDocument {
  /** Its segment of the path; empty for the root. */
  readonly name: string;
  readonly type: string;
  /** `dc:title`; the root has none. */
  readonly title?: string;
  readonly children?: readonly DefaultDocument[];
}

/** The documents of a new repository, the root first. */
export const defaultTree: DefaultDocument = {
  name: '',
  type: 'Root',
  children: [
    {
      name: 'default-domain',
      type: 'Domain',
      title: 'Domain',
      children: [
        { name: 'workspaces', type: 'WorkspaceRoot', title: 'Workspaces' },
        { name: 'sections', type: 'SectionRoot', title: 'Sections' },
        { name: 'templates', type: 'TemplateRoot', title: 'Templates' },
      ],
    },
  ],
};
