import { createElement, Fragment, type ReactNode } from 'react';
import { type Mrkdwn, parseMrkdwn } from './mrkdwn.ts';

/** A text in Slack's notation, drawn. */
export function MrkdwnText({ text }: { text: string }) {
  return <Pieces pieces={parseMrkdwn(text)} />;
}

/** Pieces have no name of their own, and none keeps anything between two drawings. */
function Pieces({ pieces }: { pieces: Mrkdwn[] }) {
  return createElement(Fragment, null, ...pieces.map(drawPiece));
}

function drawPiece(piece: Mrkdwn): ReactNode {
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
