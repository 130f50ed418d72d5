/** Traits of routes, by which openapi.json lists their errors and their headers. */
export type Trait =
  | 'all'
  | 'answersJsonOnly'
  | 'calls'
  | 'documentWrites'
  | 'enriched'
  | 'guarded'
  | 'needsPrograms'
  | 'notServed'
  | 'search'
  | 'storesBytes'
  | 'takesBody'
  /** The body may name something that does not exist; for documents, that is another error. */
  | 'takesReferences'
  | 'writes';
