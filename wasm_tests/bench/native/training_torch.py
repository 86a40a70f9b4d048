# SPDX-License-Identifier: MIT
# The digit-reversal step of page/training.mjs in PyTorch, one thread; prints the milliseconds of each step as JSON.
import json
import sys
import time

import torch
from torch import nn
from torch.nn import functional

VOCABULARY, START, END = 13, 1, 2
STEPS, WARM_UP = 60, 10


class Model(nn.Module):
    def __init__(self, embedding, hidden):
        super().__init__()
        self.source = nn.Embedding(VOCABULARY, embedding)
        self.target = nn.Embedding(VOCABULARY, embedding)
        self.encoder = nn.GRU(embedding, hidden, bidirectional=True, batch_first=True)
        self.first = nn.Linear(hidden, hidden)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.key = nn.Linear(2 * hidden, hidden, bias=False)
        self.vector = nn.Linear(hidden, 1, bias=False)
        self.decoder = nn.GRUCell(embedding + 2 * hidden, hidden)
        self.output = nn.Linear(3 * hidden + embedding, VOCABULARY)

    def forward(self, digits):
        annotations, last = self.encoder(self.source(digits))
        projected = self.key(annotations)
        state = torch.tanh(self.first(last[1]))
        answers = torch.cat([digits.flip(1), torch.full((len(digits), 1), END)], 1)
        previous = torch.full((len(digits),), START)
        parts = []
        for t in range(answers.shape[1]):
            scores = self.vector(torch.tanh(projected + self.query(state)[:, None])).squeeze(-1)
            context = (torch.softmax(scores, 1)[:, :, None] * annotations).sum(1)
            embedded = self.target(previous)
            state = self.decoder(torch.cat([embedded, context], 1), state)
            parts.append(torch.cat([state, context, embedded], 1))
            previous = answers[:, t]
        logits = self.output(torch.stack(parts, 1))
        return functional.cross_entropy(logits.flatten(0, 1), answers.flatten())


def main():
    sizes = json.loads(sys.argv[1])
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = Model(sizes["embedding"], sizes["hidden"])
    optimiser = torch.optim.Adam(model.parameters(), sizes["rate"])
    times = []
    for step in range(WARM_UP + STEPS):
        start = time.perf_counter()
        digits = torch.randint(3, VOCABULARY, (sizes["batch"], sizes["length"]))
        loss = model(digits)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        loss.item()
        times.append(1000 * (time.perf_counter() - start))
    print(json.dumps(times[WARM_UP:]))


main()
