export interface Article {
  title: string;
  paragraphs: string[];
}
