/** Selects the elements whose text is truncated with an ellipsis if there is too little room. */
const cutting = '.ellipsis, .cell, .column, .path a';

const isCut = ({ scrollWidth, clientWidth }: Element): boolean => scrollWidth > clientWidth;

/**
 * Shows the full text as a tooltip when the pointer or the focus reaches a truncated text. One listener serves the
 * whole page, because lists render thousands of cells.
 */
export function showCutTexts(): void {
  const show = ({ target }: Event) => {
    const start = target instanceof Element ? target : undefined;
    const around = start?.closest(cutting);
    const within = start?.matches('[role=row], .tree-item') ? [...start.querySelectorAll(cutting)] : [];
    for (const element of around ? [around, ...within] : within) {
      const inner = element.querySelector('.ellipsis') ?? element;
      if (isCut(inner)) element.setAttribute('title', inner.textContent ?? '');
      else if (element.getAttribute('title') === element.textContent) element.removeAttribute('title');
    }
  };
  document.addEventListener('pointerover', show, { passive: true });
  document.addEventListener('focusin', show);
}
