/** The text of a GraphQL operation, with the types of its answer and its variables. */
export interface Operation<Data, Variables> {
  readonly text: string;
  /** Exists for the compiler alone. */
  readonly types?: (variables: Variables) => Data;
}

export const operation = <Data, Variables>(text: string): Operation<Data, Variables> => ({ text });
