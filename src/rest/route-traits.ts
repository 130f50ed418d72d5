/** The traits of routes. They determine the errors and headers that openapi.json lists for a route. */
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
  /** The body can refer to something that does not exist. For documents, this results in a different error. */
  | 'takesReferences'
  | 'writes';
