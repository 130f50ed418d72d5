import { documentAfter, documentInFolder, type Mutation, onDocumentWith, sameDocument } from './mutation.ts';

const params = { subject: 'Read this', message: 'It is here.', to: 'ann@example.org' };

/** Operations that write mails. */
export const mailMutations: Readonly<Record<string, Mutation>> = {
  'Document.Mail': {
    make: documentInFolder,
    given: onDocumentWith(params),
    answers: sameDocument,
    needs: {},
    who: 'administrators',
    refuses: [
      { given: onDocumentWith({}), status: 400, message: /^subject is missing; message is missing; to / },
      {
        given: onDocumentWith({ ...params, subject: 'One\r\nBcc: all@example.org' }),
        status: 400,
        message: /^subject: contains a line break or another control character$/,
      },
      {
        given: onDocumentWith({ ...params, to: 'ann@example.org\r\nBcc: all@example.org' }),
        status: 400,
        message: /^to: .* is not an e-mail address\.$/,
      },
      {
        given: onDocumentWith({ ...params, from: 'Ann <ann@example.org>' }),
        status: 400,
        message: /^from: .* is not an e-mail address\.$/,
      },
      {
        given: onDocumentWith({ ...params, to: 'nosuch' }),
        status: 400,
        message: /^to: the user nosuch does not exist or has no e-mail address\.$/,
      },
      {
        given: onDocumentWith({ ...params, files: 'no:such' }),
        status: 400,
        message: /^files: no:such is not a property of the document\.$/,
      },
    ],
    records: [],
  },
  'Document.SendNotificationEmailForPermission': {
    make: async (server) => {
      const data = { properties: { email: 'bob@example.org' } };
      await server.database.prisma.user.update({ where: { id: 'bob' }, data });
      return documentAfter('Document.AddACE', { user: 'bob', permission: 'WriteSecurity' })(server);
    },
    given: onDocumentWith({ id: 'bob:WriteSecurity:true:Administrator::' }),
    answers: () => null,
    needs: { document: ['Read', 'WriteSecurity'] },
    refuses: [
      { given: onDocumentWith({}), status: 400, message: /^id is missing$/ },
      { given: onDocumentWith({ id: 'no:such' }), status: 400, message: /^id: the document has no ACE/ },
    ],
    records: [],
  },
};
