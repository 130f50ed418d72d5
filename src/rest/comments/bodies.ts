import { textList } from '../../model/values/json-shapes.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';

const fields = {
  text: optionalText,
  creationDate: optionalText,
  modificationDate: optionalText,
  entityId: optionalText,
  origin: optionalText,
  entity: optionalText,
};

/** Author and parent are those of the request, whatever the body says. */
export const commentBody = bodyReader(
  objectShape('CommentBody', { 'entity-type': entityTypeShape('comment'), ...fields }),
  ({ 'entity-type': _, ...comment }) => comment,
);

export const annotationBody = bodyReader(
  objectShape('AnnotationBody', {
    'entity-type': entityTypeShape('annotation'),
    ...fields,
    xpath: optionalText,
  }),
  ({ 'entity-type': _, ...annotation }) => annotation,
);

export const annotationIds = bodyReader(
  textList('the body is no list of ids', 'is no id').meta({ title: 'AnnotationIds' }),
  (ids) => ids,
);
