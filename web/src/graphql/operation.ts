/** The text of a GraphQL operation, with the types of its response and its variables. */
export interface Operation<Data, Variables> {
  readonly text: string;
  /** Never set; ties the types to the operation for the compiler. */
  readonly types?: (variables: Variables) => Data;
}

export const operation = <Data, Variables>(text: string): Operation<Data, Variables> => ({ text });
