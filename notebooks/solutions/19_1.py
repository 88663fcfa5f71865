# Solution 1
# They disagree on the pairs 1 and 3.
# On 1 the gold standard is tied: both are right. On 3 S is.
len(referees.differ), referees.correct["T"], referees.correct["S"]
