import { createElement, Fragment, type ReactNode } from 'react';
import { parseSpans, type Span } from '../../shared/message/spans.ts';

/** A text in Slack's notation, drawn. */
export function MrkdwnText({ text }: { text: string }) {
  return <Pieces pieces={parseSpans(text)} />;
}

/** Pieces have no name of their own, and none keeps anything between two drawings. */
function Pieces({ pieces }: { pieces: Span[] }) {
  return createElement(Fragment, null, ...pieces.map(drawPiece));
}

function drawPiece(piece: Span): ReactNode {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'code':
      return <code>{piece.text}</code>;
    case 'block':
      return <pre>{piece.text}</pre>;
    case 'link':
      return (
        <a href={piece.address} target="_blank" rel="noreferrer">
          {piece.address}
        </a>
      );
    case 'quote':
      return (
        <blockquote>
          <Pieces pieces={piece.children} />
        </blockquote>
      );
    default: {
      const Style = piece.kind;
      return (
        <Style>
          <Pieces pieces={piece.children} />
        </Style>
      );
    }
  }
}
