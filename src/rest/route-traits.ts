/** Traits of routes. openapi.json derives their errors and headers from them. */
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
  /** The body may name something that does not exist, which is a different error for documents. */
  | 'takesReferences'
  | 'writes';
