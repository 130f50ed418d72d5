import { Check, MapPin } from 'lucide-react';
import { Fragment, useId, useMemo, useState } from 'react';
import { useAnswer } from '../graphql/client.ts';
import { taskPicture, type WorkflowGraphFragment, workflowPicture } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { type TextKey, text } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { labelText } from './labels.ts';
import { layOut, nodeSize } from './layout.ts';

type Node = WorkflowGraphFragment['nodes'][number];

const isCurrent = ({ state }: Node): boolean => state === 'suspended';

const stateOf = (node: Node): 'current' | 'passed' | 'ahead' =>
  isCurrent(node) ? 'current' : node.isPassed ? 'passed' : 'ahead';

const stateTexts = {
  current: 'workflows.current',
  passed: 'workflows.passed',
  ahead: undefined,
} as const satisfies Record<string, TextKey | undefined>;

const Actors = ({ actors }: Pick<Node, 'actors'>) =>
  actors.map(({ id }, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <Person id={id} />
    </Fragment>
  ));

/** What a step is about in words: its state and the people to whom it is assigned. */
function Facts({ node }: { readonly node: Node }) {
  const state = stateTexts[stateOf(node)];
  return (
    <>
      {state && `. ${text(state)}`}
      {node.actors.length > 0 && (
        <>
          {`. ${text('workflows.assignedTo')} `}
          <Actors actors={node.actors} />
        </>
      )}
    </>
  );
}

/** A step in the picture. Its tooltip repeats the title, which can be too long for the box. */
const Step = ({ node, x, y }: { readonly node: Node; readonly x: number; readonly y: number }) => (
  <g
    className={`step ${stateOf(node)}`}
    transform={`translate(${x - nodeSize.width / 2} ${y - nodeSize.height / 2})`}
  >
    <title>
      {labelText(node.title)}
      <Facts node={node} />
    </title>
    <rect {...nodeSize} rx={node.isStartNode || node.isEndNode ? nodeSize.height / 2 : 8} />
    <foreignObject {...nodeSize}>
      <div className="step-text">
        <span className="step-title">
          {isCurrent(node) && <MapPin size={13} aria-hidden />}
          {node.isPassed && <Check size={13} aria-hidden />}
          {labelText(node.title)}
        </span>
        {isCurrent(node) && node.actors.length > 0 && (
          <span className="step-actors ellipsis">
            <Actors actors={node.actors} />
          </span>
        )}
      </div>
    </foreignObject>
  </g>
);

/** The steps and the outcomes that lead from one to another in words, for readers who cannot see the picture. */
function StepList({ graph: { nodes, transitions } }: { readonly graph: WorkflowGraphFragment }) {
  const titles = new Map(nodes.map(({ id, title }) => [id, labelText(title)]));
  return (
    <ol className="visually-hidden" aria-label={text('workflows.steps')}>
      {nodes.map((node) => (
        <li key={node.id} aria-current={isCurrent(node) ? 'step' : undefined}>
          {labelText(node.title)}
          <Facts node={node} />
          {transitions
            .filter(({ nodeSourceId }) => nodeSourceId === node.id)
            .map(({ nodeTargetId, buttonLabel }) => {
              const next = titles.get(nodeTargetId) ?? nodeTargetId;
              return buttonLabel
                ? `. ${text('workflows.outcome', { outcome: labelText(buttonLabel), next })}`
                : `. ${text('workflows.next', { next })}`;
            })}
          .
        </li>
      ))}
    </ol>
  );
}

const margin = 6;

/** Draws a workflow or a workflow model, with the steps that a workflow has passed and the one at which it is. */
export function WorkflowGraph({
  title,
  graph,
}: {
  readonly title: string;
  readonly graph: WorkflowGraphFragment;
}) {
  const arrow = useId();
  const layout = useMemo(
    () =>
      layOut({
        nodes: graph.nodes.map(({ id }) => id),
        edges: graph.transitions.map(({ nodeSourceId, nodeTargetId, buttonLabel }) => ({
          from: nodeSourceId,
          to: nodeTargetId,
          label: buttonLabel ? labelText(buttonLabel) : '',
        })),
      }),
    [graph],
  );
  const [width, height] = [layout.width + 2 * margin, layout.height + 2 * margin];
  return (
    <figure className="workflow-graph">
      <section
        className="scrolled"
        aria-label={text('workflows.picture', { name: labelText(title) })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that keyboard users can scroll it
        tabIndex={0}
      >
        <svg width={width} height={height} viewBox={`${-margin} ${-margin} ${width} ${height}`} aria-hidden>
          <defs>
            <marker
              id={arrow}
              viewBox="0 0 8 8"
              refX={7}
              refY={4}
              markerWidth={8}
              markerHeight={8}
              orient="auto"
            >
              <path className="arrow" d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          {layout.edges.map(({ from, to, path }) => (
            <path key={`${from} ${to}`} className="line" d={path} markerEnd={`url(#${arrow})`} />
          ))}
          {layout.edges.map(
            ({ from, to, label, at }) =>
              label && (
                <text key={`${from} ${to}`} x={at.x} y={at.y} dy="0.35em">
                  {label}
                </text>
              ),
          )}
          {graph.nodes.map((node) => {
            const at = layout.nodes.get(node.id);
            return at && <Step key={node.id} node={node} x={at.x} y={at.y} />;
          })}
        </svg>
      </section>
      <StepList graph={graph} />
    </figure>
  );
}

function LoadedWorkflow({ id }: { readonly id: string }) {
  const { data, error } = useAnswer(workflowPicture, { id });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return data.workflow && <WorkflowGraph title={data.workflow.title} graph={data.workflow.graph} />;
}

function LoadedTask({ id }: { readonly id: string }) {
  const { data, error } = useAnswer(taskPicture, { id });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return data.task && <WorkflowGraph title={data.task.workflowTitle} graph={data.task.graph} />;
}

interface PictureProps {
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
}

const PictureButton = ({ isOpen, onChange }: PictureProps) => (
  <Button kind="quiet" aria-expanded={isOpen} onPress={() => onChange(!isOpen)}>
    {text(isOpen ? 'workflows.hidePicture' : 'workflows.showPicture')}
  </Button>
);

/** The picture of a workflow, which is loaded when it is shown. */
export function WorkflowPicture({
  id,
  isOpen: isOpenFirst,
}: {
  readonly id: string;
  readonly isOpen: boolean;
}) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <div className="workflow-picture">
      <PictureButton isOpen={isOpen} onChange={setOpen} />
      {isOpen && <LoadedWorkflow id={id} />}
    </div>
  );
}

/** The picture of a task's workflow. The actors of a task see it even if they cannot see the workflow otherwise. */
export function TaskPicture({ task }: { readonly task: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="workflow-picture">
      <PictureButton isOpen={isOpen} onChange={setOpen} />
      {isOpen && <LoadedTask id={task} />}
    </div>
  );
}
