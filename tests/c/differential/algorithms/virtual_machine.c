// A machine that runs a program of its own: arrays, switch, loop.
#include <stdio.h>

enum op { PUSH, ADD, SUB, DUP, JNZ, SWAP, PRINT, HALT };

static int run(const signed char *code) {
    int stack[8], top = -1, pc = 0, executed = 0;
    for (;;) {
        executed++;
        switch ((enum op)code[pc++]) {
        case PUSH:
            stack[++top] = code[pc++];
            break;
        case ADD:
            top--;
            stack[top] += stack[top + 1];
            break;
        case SUB:
            top--;
            stack[top] -= stack[top + 1];
            break;
        case DUP:
            stack[top + 1] = stack[top];
            top++;
            break;
        case JNZ: {
            int to = code[pc++];
            if (stack[top] != 0) {
                pc = to;
            }
        } break;
        case SWAP: {
            int t = stack[top];
            stack[top] = stack[top - 1];
            stack[top - 1] = t;
        } break;
        case PRINT:
            printf("%d ", stack[top]);
            break;
        case HALT:
            return executed;
        }
    }
}

int main(void) {
    const signed char code[] = {PUSH, 0, PUSH, 4, SWAP, PUSH, 3, ADD, PRINT, SWAP, PUSH, 1, SUB, JNZ, 4, HALT};
    printf("%d\n", run(code));
    return 0;
}
