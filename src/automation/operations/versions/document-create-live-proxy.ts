import { NotServed } from '../../../errors.ts';
import { documentQuery } from '../../operation.ts';
import { reference } from '../../params/kinds.ts';

export const documentCreateLiveProxy = documentQuery({
  id: 'Document.CreateLiveProxy',
  label: 'Create live proxy',
  description: 'Not supported; responds with 501.',
  example: { none: 'The operation is not supported (501).' },
  isForAdministrators: true,
  isNotServed: true,
  params: { 'Destination Path': reference.required('The folder in which the proxy is created.') },
  run: async () => {
    throw new NotServed(
      'Document.CreateLiveProxy is not supported, because proxies always show versions. Publish the document, or add it to a collection.',
    );
  },
});
