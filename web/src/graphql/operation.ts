/** The text of a GraphQL operation, with the types of its response and its variables. */
export interface Operation<Data, Variables> {
  readonly text: string;
  /** This field is never set. It only lets the compiler infer the types that belong to the operation. */
  readonly types?: (variables: Variables) => Data;
}

export const operation = <Data, Variables>(text: string): Operation<Data, Variables> => ({ text });
